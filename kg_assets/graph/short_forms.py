"""Short forms of first names, titles, and words that say what something is: what names often differ in."""

from functools import cache

from kg_assets.text.lexicon import bag

FILLERS = bag("of the and for de in at")
ABBREVIATIONS = {
    "st": "saint",
    "mt": "mount",
    "ft": "fort",
    "dr": "doctor",
    "prof": "professor",
    "univ": "university",
    "dept": "department",
    "intl": "international",
    "inc": "incorporated",
    "ltd": "limited",
    "corp": "corporation",
    "co": "company",
    "bros": "brothers",
}
GENERIC = bag(
    "incorporated limited corporation company brothers llc plc gmbh ag sa bv group holdings foundation institute "
    "university college school city town village county state province river lake island bridge street avenue road "
    "park hotel restaurant cafe bar band orchestra team club project initiative programme program app platform system "
    "event party festival concert march parade race meeting trip book film movie series album song game"
)
HONORIFICS = bag(
    "doctor professor mister miss captain coach judge father sister brother uncle aunt auntie grandma grandpa nurse "
    "pastor reverend rabbi imam chef officer sergeant president senator king queen prince princess lord lady"
)

# From common usage in English; a short form may stand for several names.
_SHORT_FORMS = """
abigail: abby gail | albert: al bert bertie | alexander: alex al sandy sasha xander | alexandra: alex sandra sasha
lexi | alfred: al fred alfie | amanda: mandy | andrew: andy drew | angela: angie | anthony: tony | antonia: toni |
arthur: art | barbara: barb babs | benjamin: ben benny | bernard: bernie | bradley: brad | carolyn: carol carrie |
catherine: cathy cate kate katie kitty | charles: charlie chuck chas | charlotte: lottie charlie | christina: chris
tina chrissy | christine: chris chrissy | christopher: chris topher kit | cynthia: cindy | daniel: dan danny | david:
dave davy | deborah: deb debbie | dominic: dom nick | donald: don donny | dorothy: dot dottie | douglas: doug |
edward: ed eddie ted ned | eleanor: ellie nell nora | elizabeth: liz lizzie beth betty eliza ellie libby | emily: em
emmy | eugene: gene | frances: fran frankie | francis: frank | franklin: frank | frederick: fred freddie | gabriel:
gabe | gabriella: gabby ella | george: georgie | gerald: gerry jerry | gregory: greg | harold: harry hal | harriet:
hattie | helen: nell | henry: harry hank | isabella: bella izzy | jacob: jake | jacqueline: jackie | james: jim jimmy
jamie | jennifer: jen jenny | jessica: jess jessie | john: johnny jack | jonathan: jon | joseph: joe joey | joshua:
josh | judith: judy | katherine: kate kathy katie kay kitty | kathleen: kathy katie | kenneth: ken kenny | kimberly:
kim | lawrence: larry | leonard: leo len lenny | lillian: lily | louis: lou | louise: lou | lucille: lucy | margaret:
maggie meg peggy greta daisy | martha: marty | martin: marty | mary: molly polly | matthew: matt | maximilian: max |
megan: meg | melanie: mel | melissa: mel missy | michael: mike mick mickey micky | mohammed: mo | nancy: nan |
natalie: nat | nathan: nate | nathaniel: nate nat | nicholas: nick nicky | nicole: nicky nikki | oliver: ollie |
olivia: liv livvy | pamela: pam | patricia: pat patty trish | patrick: pat paddy | penelope: penny | peter: pete |
philip: phil | rachel: rach | raymond: ray | rebecca: becky becca | richard: rick dick richie ricky | robert: bob rob
bobby robbie bert | roberta: bobbie | ronald: ron ronnie | rosemary: rosie | russell: russ | samantha: sam sammy |
samuel: sam sammy | sarah: sally | stephanie: steph | stephen: steve | steven: steve | stewart: stu | susan: sue susie
| suzanne: sue suzy | teresa: terry tess | theodore: ted theo teddy | theresa: terry tess | thomas: tom tommy |
timothy: tim timmy | valerie: val | vanessa: nessa | veronica: ronnie | victor: vic | victoria: vicky tori | vincent:
vince | virginia: ginny | walter: walt wally | wilhelm: willi | william: will bill billy willy liam | zachary: zach
zack
"""


@cache
def _by_short_form() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in _SHORT_FORMS.split("|"):
        name, _, short = row.partition(":")
        for each in short.split():
            found.setdefault(each, set()).add(name.strip())
    return {short: frozenset(names) for short, names in found.items()}


def long_forms(name: str) -> frozenset[str]:
    """The first names that one may stand for, itself among them."""
    return _by_short_form().get(name, frozenset()) | {name}
