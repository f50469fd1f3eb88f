"""English words that tell nothing by themselves: grammar, and the courtesies of small talk. Casefolded.

What is left of a sentence without them is its content, and without the words of praise and feeling what is concrete.
In another language nothing is taken out: every word counts.
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

SECOND_PERSON = _set("you you're your yours you've you'll you'd yourself yourselves u ur youre")

NEGATIONS = _set(
    """
    no not n't never nobody none nothing neither nor without cannot nowhere dont doesnt didnt cant wont isnt arent
    wasnt hasnt havent don't doesn't didn't can't won't isn't aren't wasn't weren't hasn't haven't hadn't couldn't
    wouldn't shouldn't
    """
)

# Negations that deny nothing: (the negation, the word after it).
NO_DENIALS = frozenset(
    tuple(each.split("-"))
    for each in _set(
        """
        can't-wait cant-wait cannot-wait couldn't-wait no-worries no-problem no-doubt no-wonder no-matter never-mind
        never-know not-only not-sure don't-worry dont-worry don't-hesitate don't-mind don't-forget can't-believe
        couldn't-agree can't-help won't-regret wouldn't-mind nothing-like nothing-beats not-bad can't-thank
        couldn't-help couldn't-believe
        """
    )
)

NUMBERS = _set(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen
    """
)

CALENDAR = _set(  # without "may", which is mostly none
    """
    january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    """
)

# What is said of nearly everything: praise, feelings, and the large words of encouragement.
VAGUE = _set(
    """
    able accomplish achieve achievement adventure alive ambition anxious appreciated appreciation appreciative
    aspiration atmosphere attitude aware awareness beautiful beauty belief believe benefit blessed blessing bond
    bonding boost brave breathtaking bright brighten brilliant bring brings calm calming captivating care caring
    challenge challenges challenging chance charming cheer cherish close comfort comforting comfy confidence
    confident connect connected connection courage crazy create creative creativity dedicated dedication delight
    delightful determination determined difference difficult dream dreams drive driven easy effort efforts
    electric embrace emotion emotional emotions empower empowering encourage encouragement encouraging energy
    engaging enjoyable enjoyed enjoying enriching escape essential experience experiences express expression
    faith familiar fear feelings focus fond fresh friendship fulfilled fulfilling fulfillment gain genuine goal
    goals gorgeous grateful gratitude grow growing growth guidance happier happiness hard heart hearts
    heartwarming helpful helping helps hopeful humble idea ideas imagination impact importance important
    impressed impressive improve inner inspiration inspire inspired inspires inspiring intense journey joy
    joyful kind kindness learn learning lesson life lift lives loss loved loving magic magical magnificent mean
    meaning meaningful memorable memories memory mind mindset moment moments mood motivate motivated motivates
    motivating motivation moving nerve nervous nostalgic obstacles opportunity optimistic passion passionate
    patience peace peaceful perseverance personal perspective positive positivity possible potential power
    powerful precious pressure priceless pride progress proud purpose push pushing quality rad realize
    refreshing relax relaxed relaxing relief remarkable remember remind reminder reminds resilience resilient
    respect rest reward rewarding ride rough rush sad safe satisfaction satisfying scared scary serene serenity
    share shared sharing shine shows smile smiles soothing soul soulful special spirit spirits splendid stay
    stoked strength stress stressed stressful strive strong struggle struggles stuff stunning success successful
    support supported supporting supportive surprise surprised sweetest talent talented teamwork therapeutic
    thoughtful thrill thrilled thrilling touching tough tricky trust unforgettable unique unreal uplift
    uplifting upset value values vibe vibes view vital welcoming wild willing wisdom wish wishing world worry
    worth worthwhile
    """
)

PAST = _set(
    """
    ate been began bought broke brought built came caught chose cut did done drank drove fell felt flew forgot
    fought found gave gone got grew had heard held hit hurt kept knew led left let lit lost made met paid put
    ran read rode rose said sang sat saw sent set shot showed shut slept spent spoke started stood stuck swam
    taught thought threw told took was went were woke won wore wrote
    """
)

# A sentence that opens with one of these has most often lost its "I": "just got back", "been baking".
OPENERS = _set(
    """
    been bought currently decided finally finished found getting going gonna got had hated heading joined just
    learned looking lost loved made managed met moved planning ran recently saw spent started thinking took
    tried trying visited went won working
    """
)
POINTERS = _set("it that this it's that's they she he")
