"""What each utterance states: rules and a parse vote, mentions are grounded in the session, votes become assertions."""
