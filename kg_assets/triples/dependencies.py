"""Clauses from a dependency parse. What they say is read by the same frames as without a parser.

The parse adds what plain patterns miss: verbs further from their subject, joined verbs, relative clauses
("my friend Tom, who works at Google"), appositions ("my sister Anna, a nurse").
"""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Negation, Tense
from kg_assets.text.lexicon import HABITUAL, bag
from kg_assets.text.phrases import PARTITIVES, Phrase
from kg_assets.text.shallow import IN_TIME, PARTICLES, TAKING_ADJECTIVES, is_of_state, only_dates
from kg_assets.triples.noun_phrases import PhraseReader
from kg_assets.triples.parsed import Word
from kg_assets.triples.verb_lemmas import lemma_of

SUBJECTS = ("nsubj", "nsubjpass")
_BLOCKED_AUXILIARIES = frozenset({"would", "'d", "could", "should", "might", "may", "must", "ought", "can", "ca"})
_BE = frozenset({"am", "'m", "m", "is", "'s", "s", "are", "'re", "was", "were", "be", "been", "being"})
_WAS = frozenset({"was", "were"})
_HAVE = frozenset({"have", "has", "'ve", "ve", "had"})
_PERFECT = frozenset({"have", "has", "'ve", "ve"})


# What the parser takes for a subject and is none, or is nobody.
_CALLS = bag("neither none nobody hi hey hello thanks wow oh yeah yes bye dear congrats sorry haha")


class Reader(PhraseReader):
    """Reads the clauses of one parsed sentence."""

    def clauses(self) -> Iterator[Clause]:
        if self.sentence.is_question or self.sentence.is_supposed:
            return
        found: list[Clause] = []
        for word in self.tree.words:
            if word.is_verb and self._stands(word):
                found += [each for each in self._told(word) if not self._is_open(word, each)]
            elif word.dep == "appos":
                found += self.apposition(word)
        yield from found
        read = {phrase.span for clause in found for phrase in clause.phrases()}
        for word in self.tree.words:
            if word.tag in ("NN", "NNS") and self.tree.child(word, "poss") is not None:
                yield from (each for each in self.belonging(word) if each.subject.span not in read)

    def _told(self, verb: Word) -> Iterator[Clause]:
        """A verb's clause for each who does it, with the others, and with what its subject is qualified with."""
        subjects = self.subjects(verb)
        own = self.tree.child(verb, *SUBJECTS)
        placed = tuple(self._preps(own)) if own is not None and own.tag in ("NN", "NNS", "NNP") else ()
        for subject in subjects:
            clause = self.clause(verb, subject)
            if clause is not None:
                others = tuple(other for other in subjects if other is not subject)
                yield clause._replace(others=others, placed=placed)
                yield from self._also(verb, clause)

    def _also(self, verb: Word, clause: Clause) -> Iterator[Clause]:
        """ "I like to watch films and | read thrillers": the verbs joined to an infinitive or gerund."""
        inner = self.tree.child(verb, "xcomp") if clause.inner is not None else None
        if inner is None:
            return
        for other in self.tree.conjuncts(inner)[1:]:
            same = other.tag == inner.tag or (other.tag == "NN" and other.lower.endswith("ing"))
            if same and self.tree.child(other, *SUBJECTS) is None:
                more = self._filled(other, clause.subject, "present")._replace(start=self.offset + other.start)
                yield clause._replace(inner=more, objects=(), preps=(), end=max(clause.end, more.end))

    def belonging(self, word: Word) -> Iterator[Clause]:
        """As in "… with my three cats": whose they are is said wherever they stand."""
        owner = self.tree.child(word, "poss")
        place = word.start + self.offset
        if owner is None or owner.lower not in ("my", "our") or place >= self.open_from or place not in self.spoken:
            return
        phrase = self.phrase(word)
        if phrase is not None:
            yield Clause(self.text, phrase.start, phrase.end, phrase, "", (phrase.start, phrase.start))

    def _stands(self, verb: Word) -> bool:
        place = verb.start + self.offset
        head = self.tree.words[verb.head]
        if verb.dep == "ccomp" and head.lower in ("let", "lets", "make", "makes", "made", "help", "want", "wants"):
            return False  # "she won't let us | use it"
        return place < self.open_from and place in self.spoken and verb.dep not in ("aux", "auxpass", "xcomp", "amod")

    def _is_open(self, verb: Word, clause: Clause) -> bool:
        conditional = self.open_from <= self.sentence.end and clause.tense == "future"
        conditional = conditional or (self.sentence.is_conditional and is_of_state(clause))
        marks = [each.lower for each in self.tree.children(verb, "mark", "advmod")]
        in_time = not IN_TIME.isdisjoint(marks) or (verb.dep == "pcomp")
        return conditional or (in_time and only_dates(clause))

    # ------------------------------------------------------------------------------------------------ subjects

    def subjects(self, verb: Word) -> list[Phrase]:
        """Own subject, the one shared with the verb it is joined to, or the noun that a relative clause describes."""
        own = self.tree.child(verb, *SUBJECTS)
        if own is not None and own.lower in ("who", "that", "which") and verb.dep == "relcl":
            return self.phrases(self._described(self.tree.words[verb.head]))[:1] if own.lower == "who" else []
        if own is not None:
            described = verb.dep == "relcl"  # "a picture I took": what was taken stands outside the clause
            return [] if described else [each for each in self.phrases(own) if each.words[0] not in _CALLS]
        if self.tree.child(verb, "expl") is not None:
            return []
        shared = verb.tag in ("VBD", "VBP", "VBZ", "VBN", "VBG") or self.tree.child(verb, "aux") is not None
        if verb.dep == "conj" and shared and not self._follows_a_noun(verb):
            first = self.tree.words[verb.head]
            return self.subjects(first) if first.is_verb and first.dep not in ("xcomp", "amod") else []
        return []

    def _follows_a_noun(self, verb: Word) -> bool:
        """Then that is who acts, though the parser took it for one more object: "(I love tea and) my son | smokes"."""
        before = verb.i - 1
        while before > 0 and (self.tree.words[before].tag in ("RB", "MD") or self.tree.words[before].dep == "aux"):
            before -= 1
        return before >= 0 and self.tree.words[before].tag in ("NN", "NNS", "NNP", "PRP")

    def _described(self, noun: Word) -> Word:
        """Whom "who" means: "a potter from Faenza who …" is the potter."""
        preposition = self.tree.words[noun.head]
        above = self.tree.words[preposition.head]
        placed = noun.dep == "pobj" and noun.tag.startswith("NNP") and preposition.lower in ("from", "in", "at", "of")
        return above if placed and above.tag in ("NN", "NNP") else noun

    def apposition(self, word: Word) -> Iterator[Clause]:
        """As in "my sister Anna, a nurse": the second noun phrase describes the first."""
        head = self.tree.words[word.head]
        if self.tree.child(word, "det") is None or word.tag not in ("NN", "NNP") or head.is_verb:
            return
        subject, described = self.phrase(head), self.phrase(word)
        if head.dep == "appos":
            subject = self.phrase(self.tree.words[head.head])
        if subject is None or described is None or not (subject.is_name or subject.relation or subject.owner):
            return
        between = self.text[subject.end : described.start]
        if "," in between and described.determiner in ("a", "an"):
            place = (described.start, described.start)
            yield Clause(self.text, subject.start, described.end, subject, "be", place, objects=(described,))

    # ------------------------------------------------------------------------------------------------- clauses

    def clause(self, verb: Word, subject: Phrase) -> Clause | None:
        """A verb with its complements; None where a modal or an unknown shape makes it no statement."""
        auxiliaries = [each.lower for each in self.tree.children(verb, "aux", "auxpass")]
        able = auxiliaries == ["can"] and verb.lower in ("speak", "play")
        if auxiliaries in (["can"], ["ca"]) and not able and verb.lower in HABITUAL:
            inner = self._filled(verb, subject, "present")
            inner = inner._replace(start=self.offset + verb.start)
            clause = inner._replace(verb="can", start=subject.start, inner=inner, inner_form="to", objects=(), preps=())
            return clause._replace(negation="not" if self.tree.child(verb, "neg") is not None else "")
        if not _BLOCKED_AUXILIARIES.isdisjoint(auxiliaries) and not able:
            return self._cannot_stand(verb, subject, auxiliaries)
        inner_verb = self.tree.child(verb, "xcomp")
        if inner_verb is not None and not inner_verb.is_verb:
            inner_verb = None
        marked = inner_verb is not None and any(each.lower == "to" for each in self.tree.children(inner_verb, "aux"))
        if inner_verb is not None and marked and verb.lower in ("used", "going", "gon"):
            used_to = verb.lower == "used"
            if used_to and self.tree.child(verb, "dobj") is not None:
                return None  # "I used my savings to buy it"
            if not used_to and not (_BE & set(auxiliaries)) - _WAS and verb.lower == "going":
                return None
            clause = self._filled(inner_verb, subject, "past" if used_to else "future")
            times = tuple(sorted({*self._times(verb), *clause.times}))
            negation = self._negation(verb, clause)
            return clause._replace(used_to=used_to, negation=negation, start=subject.start, times=times)
        if inner_verb is not None and marked and verb.lower == "had" and not auxiliaries:
            passive = self.tree.child(inner_verb, "auxpass") is not None
            done = self._filled(inner_verb, subject, "past")  # "we had to sell it"
            return done._replace(start=subject.start, passive=passive)
        wished = verb.lower in ("want", "wants") and inner_verb is not None and inner_verb.lower in ("be", "become")
        if (
            inner_verb is not None
            and marked
            and verb.lower in ("have", "has", "had", "got", "need", "want")
            and not wished
        ):
            return None
        tense = self._tense(verb, auxiliaries)
        if tense is None:
            return None
        clause = self._filled(verb, subject, tense)
        clause = clause._replace(
            progressive=verb.tag == "VBG" or "getting" in auxiliaries,
            passive=self.tree.child(verb, "nsubjpass", "auxpass") is not None,
            negation=self._negation(verb, clause),
            start=min(subject.start, clause.start),
        )
        if verb.lower == "got" and tense == "perfect" and clause.objects and not (clause.passive or clause.particle):
            clause = clause._replace(verb="have", tense="present")  # "I've got asthma"
        if inner_verb is not None:
            inner = self._going(inner_verb, subject)
            end = max(clause.end, inner.end)
            times = tuple(dict.fromkeys((*clause.times, *inner.times)))
            if self.tree.child(inner_verb, "neg") is not None:  # "we decided not to go"
                clause = clause._replace(negation=clause.negation or "not")
            clause = clause._replace(inner=inner, inner_form="to" if marked else "ing", end=end, times=times)
        return clause

    def _going(self, verb: Word, subject: Phrase) -> Clause:
        """An infinitive or gerund, with the one that "go" takes: "like to go | running"."""
        inner = self._filled(verb, subject, "present")._replace(start=self.offset + verb.start)
        gone = next((each for each in self.tree.children(verb, "xcomp", "advcl") if each.tag == "VBG"), None)
        if verb.lower not in ("go", "going") or gone is None or gone.i != verb.i + 1:
            return inner
        deed = self._filled(gone, subject, "present")._replace(start=self.offset + gone.start)
        return inner._replace(inner=deed, inner_form="ing", end=max(inner.end, deed.end))

    def _cannot_stand(self, verb: Word, subject: Phrase, auxiliaries: list[str]) -> Clause | None:
        negated = self.tree.child(verb, "neg") is not None
        if verb.lower == "stand" and negated and {"can", "ca"} & set(auxiliaries):
            return self._filled(verb, subject, "present")._replace(verb="hate", start=subject.start)
        if verb.lower in ("eat", "drink") and negated and {"can", "ca"} & set(auxiliaries):
            return self._filled(verb, subject, "present")._replace(negation="not", start=subject.start)
        return None

    def _tense(self, verb: Word, auxiliaries: list[str]) -> Tense | None:
        if {"will", "'ll", "wo", "shall", "gonna"} & set(auxiliaries):
            return "future"
        if verb.tag in ("VBG", "VBN"):
            if _PERFECT & set(auxiliaries) or ("'s" in auxiliaries and "been" in auxiliaries):
                return "perfect"
            if _WAS & set(auxiliaries) or "had" in auxiliaries or (verb.tag == "VBN" and "got" in auxiliaries):
                return "past"
            if "'s" in auxiliaries and verb.tag == "VBN" and self.tree.child(verb, "nsubjpass") is None:
                return "perfect"
            if _BE & set(auxiliaries):
                return "present"
            joined = self.tree.words[verb.head] if verb.dep == "conj" else verb
            if joined is verb:
                return None
            return self._tense(joined, [each.lower for each in self.tree.children(joined, "aux", "auxpass")])
        if verb.tag == "VBD" or "did" in auxiliaries:
            return "past"
        return "present"

    def _negation(self, verb: Word, clause: Clause) -> Negation:
        words = [each.lower for each in self.tree.children(verb)]
        near = self.text[clause.subject.end : clause.end + len(" any longer")].casefold()
        negated = any(each.dep == "neg" for each in self.tree.children(verb)) or "never" in words
        if "no longer" in near or (negated and any(word in near for word in ("anymore", "any more", "any longer"))):
            return "ended"
        return "never" if "never" in words else "not" if negated else ""

    def _filled(self, verb: Word, subject: Phrase, tense: Tense) -> Clause:
        """Objects, prepositional phrases, particle and times of a verb."""
        tree, objects, adjective = self.tree, [], ""
        attribute = tree.child(verb, "attr", "acomp")
        direct = tree.child(verb, "dobj", "attr") or next(
            (each for each in tree.children(verb, "xcomp") if not each.is_verb and verb.lower not in _BE), None
        )
        if direct is not None:
            objects = self.phrases(direct)
            # "Polish and a bit of German": the parser may join the "bit" to the verb.
            joined = (each for each in tree.children(verb, "conj") if each.lower in PARTITIVES and each.i > direct.i)
            objects += [phrase for each in joined for phrase in self.phrases(each)]
        if attribute is not None and attribute.dep == "acomp":
            if attribute.lower in TAKING_ADJECTIVES:
                adjective = attribute.lower
            else:
                objects = [phrase for each in tree.conjuncts(attribute) if (phrase := self.phrase(each))]
        named = tree.child(verb, "oprd")
        if verb.lower in _BE and named is not None and named.lower in TAKING_ADJECTIVES:
            adjective = named.lower
        second = self.phrase(named) if named is not None and not adjective else None
        if second is not None and not objects:
            objects, second = (self.phrases(named) if named is not None else []) or [second], None
        preps = tuple(self._preps(verb, attribute, direct))
        times = self._times(verb)
        particle = tree.child(verb, "prt")
        places = [self.offset + verb.end, *(phrase.end for phrase in objects)]
        places += [phrase.end for _, group in preps for phrase in group] + [end for _, end in times]
        return Clause(
            text=self.text,
            start=self.offset + verb.start,
            end=max(places),
            subject=subject,
            verb_span=(self.offset + self._opening(verb).start, self.offset + verb.end),
            verb="be" if verb.lower in _BE else lemma_of(verb.lower),
            tense=tense,
            particle=particle.lower if particle is not None and particle.lower in PARTICLES else "",
            objects=tuple(objects),
            second=second,
            adjective=adjective,
            preps=preps,
            instead=self._instead(direct) or self._instead(self._placed(verb)),
            times=times,
        )

    def _preps(self, verb: Word, *nouns: Word | None) -> Iterator[tuple[str, tuple[Phrase, ...]]]:
        """Prepositional phrases of the verb, of its objects, and of one another ("as an analyst at Nordwind")."""
        heads = [verb, *(noun for noun in nouns if noun is not None)]
        for head in heads:
            for preposition in self.tree.children(head, "prep", "agent"):
                target = self.tree.child(preposition, "pobj")
                if target is None or self.times.at(self.offset + target.start):
                    continue
                phrases = tuple(self.phrases(target))
                if phrases and len(heads) < 12:
                    yield preposition.lower, phrases
                    heads.append(target)

    def _times(self, verb: Word) -> tuple[tuple[int, int], ...]:
        """The points in time that belong to this verb and to no other below it."""
        found: list[tuple[int, int]] = []
        for word in self.tree.words:
            timed = self.times.at(self.offset + word.start)
            if timed is None or not timed[1] or timed[0] in found:
                continue
            owner = next((each for each in self.tree.above(word) if self._owns_times(each)), None)
            if owner is not None and owner.i == verb.i:
                found.append(timed[0])
        return tuple(found)

    def _owns_times(self, word: Word) -> bool:
        return word.is_verb and word.dep not in ("aux", "auxpass", "acl", "amod", "csubj")

    def _opening(self, verb: Word) -> Word:
        """The "getting" of "getting married", otherwise the verb itself."""
        return next((each for each in self.tree.children(verb, "auxpass", "aux") if each.lower == "getting"), verb)

    def _placed(self, verb: Word) -> Word | None:
        """The noun behind the verb's last preposition."""
        prepositions = self.tree.children(verb, "prep")
        return self.tree.child(prepositions[-1], "pobj") if prepositions else None

    def _instead(self, noun: Word | None) -> Phrase | None:
        """The noun that is taken back: "Luna, not Lena"."""
        if noun is None:
            return None
        for other in self.tree.children(noun, "appos", "conj", "npadvmod"):
            before = self.text[self.offset + noun.end : self.offset + other.start].casefold().split()
            if before == [",", "not"]:
                return self.phrase(other)
        return None
