"""English words that tell nothing by themselves: grammar, and the courtesies of small talk. Casefolded.

What is left of a sentence without them is its content. In another language nothing is taken out: every word counts.
"""


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


FUNCTION_WORDS = _set(
    """
    a about above after again against ago all almost already also although always am an and another any anyone
    anything anyway anyways are aren't around as at away back be became because become been before being between both
    but by can can't cannot come comes coming could couldn't did didn't do does doesn't doing don't done down during
    each either else end enough especially even ever every everyone everything far few first for from front further
    gave get gets getting give gives giving go goes going gonna got gotta had hadn't has hasn't have haven't having he
    he'd he's her here here's hers herself him himself his how how's however i i'd i'll i'm i've if in instead into is
    isn't it it'd it'll it's its itself just keep keeps kind kinda know known knows last least less let let's lets like
    likes little lot lots made make makes making many may maybe me might mine more most mostly much must my myself near
    need needs neither never new next no nobody none nor not nothing now of off often ok okay on once one ones only or
    other others our ours ourselves out over own part per perhaps quite rather really right said same saw say says see
    seem seems seen several shall she she'd she's should shouldn't since so some somebody someone something sometimes
    somewhere soon still such take takes taking tell tells than that that'd that'll that's the their theirs them
    themselves then there there's these they they'd they'll they're they've thing things think thinking this those
    though thought through till time times to together told too took toward towards tried try trying under until up
    upon us use used using usually very wanna want wanted wants was wasn't way ways we we'd we'll we're we've well went
    were weren't what what's whatever when whenever where where's whether which while who who's whole whom whose why
    will with within without won't would wouldn't yet you you'd you'll you're you've your yours yourself yourselves
    im ive id ill dont didnt cant wont isnt thats whats youre theyre
    """
)

COURTESIES = _set(
    """
    absolutely agree agreed amazing appreciate aw awesome aww awww best better bless bye care catch cheers clearly
    congrats congratulations cool course cute dear definitely enjoy exactly excellent exciting excited fantastic feel
    feeling feels fine forward fun funny gg glad good goodbye goodnight gosh great greetings guess guys ha haha hahaha
    happy heard hear hehe hello hey hi hiya hmm hope hopefully hopes hoping hug hugs huh indeed interesting kidding
    kudos later lmao lol look looking looks love lovely luck lucky mean means mhm mind nah nice night nope oh omg ooh
    oops pardon perfect please pleasure pretty proud rofl sorry sound sounds super sure sweet talk talking tbh terrific
    thank thankful thanks thx totally true truly ty ugh wait welcome whoa wonderful worries worry wow xd ya yay yea
    yeah yep yes yo yup yw
    """
)

EMPTY = FUNCTION_WORDS | COURTESIES

FIRST_PERSON = _set("i i'd i'll i'm i've im ive me mine my myself our ours ourselves us we we'd we'll we're we've")
