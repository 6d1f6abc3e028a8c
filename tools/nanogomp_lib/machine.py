# machine.py - the machine as the library sees it: from its report's lines to a tree and a drawing
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of the report (runtime/omp/team/lay_text.c):
  domain: NODE PARENT NAMES PROCESSORS CPUS    NAMES is package+numa:1; CPUS is - where nobody knows
  cores: SPEED PROCESSORS...                   kinds of cores, if there are several
  groups: LEVEL MEMBERS PROCESSORS...          the groups of the teams at that level
  seats: PLACE...                              of a root's team, if it is bound
Equal subtrees that stand side by side are drawn once."""

KEYS = ("domain", "cores", "groups", "seats")
LISTED = 4  # ranges that are written out before "..."


def parse_range(text):
    """"4-7" as (4, 4): first and count."""
    first, _, last = text.partition("-")
    return int(first), int(last or first) - int(first) + 1


def show_range(first, count):
    return str(first) if count == 1 else "%d-%d" % (first, first + count - 1)


def make_tree(rows):
    """{name, number, first, processors, cpus, children} of the "domain" lines; None without any."""
    nodes = []
    for row in rows:
        _, parent, names, processors, cpus = row.split(" ", 4)
        name, _, number = names.rpartition(":")
        first, count = parse_range(processors)
        node = {"name": name, "number": int(number), "first": first, "processors": count,
                "cpus": None if cpus == "-" else cpus, "children": []}
        if nodes:
            nodes[int(parent)]["children"].append(node)
        nodes.append(node)
    return nodes[0] if nodes else None


def make_groups(rows):
    """[{level, members, teams: [{first, processors}], more}]"""
    groups = []
    for row in rows:
        level, members, *ranges = row.split()
        more = ranges[-1:] == ["..."]
        teams = [dict(zip(("first", "processors"), parse_range(r))) for r in ranges if r != "..."]
        groups.append({"level": int(level), "members": int(members), "teams": teams, "more": more})
    return groups


def read(pairs):
    """The machine of a report's pairs; None if the library says nothing of it."""
    rows = {key: [value for name, value in pairs if name == key] for key in KEYS}
    one = dict(pairs)
    tree = make_tree(rows["domain"])
    if not tree:
        return None
    cores = [row.split() for row in rows["cores"]]
    seats = rows["seats"][0].split() if rows["seats"] else []
    return {"from": one.get("domains_from"), "domains": one.get("domains"), "tree": tree,
            "cores": [{"speed": int(speed), "processors": ranges} for speed, *ranges in cores],
            "groups": make_groups(rows["groups"]), "seats": [int(s) for s in seats if s != "..."]}


# --- drawing ---

def shape(node):
    """What makes two subtrees equal."""
    return (node["name"], node["processors"], tuple(shape(child) for child in node["children"]))


def listing(texts, more=False, between=", "):
    """A, B, C, ... Z"""
    if len(texts) > LISTED or more:
        texts = texts[:LISTED - 1] + ["..." if more else "... " + texts[-1]]
    return between.join(texts)


def count_of(number, noun):
    return "%d %s%s" % (number, noun, "" if number == 1 else "s")


def draw_run(run, inside, indent):
    """Equal siblings as (left, right) texts. inside: they are in the first one of equal ones."""
    first = run[0]
    title = "%s %d" % (first["name"].replace("+", " + "), first["number"])
    size = count_of(first["processors"], "processor")
    if len(run) > 1:
        numbers = [node["number"] for node in run]
        row = numbers == list(range(numbers[0], numbers[0] + len(run)))
        shown = show_range(numbers[0], len(run)) if row else listing([str(n) for n in numbers])
        title = "%d x %s %s" % (len(run), first["name"].replace("+", " + "), shown)
        size += " each"
    if inside:
        title += ", and so on"
    if first["cpus"]:
        size += ": CPUs " + listing([node["cpus"] for node in run], between=" | ")
    return ([("  " * indent + title, size)]
            + draw_children(first, inside or len(run) > 1, indent + 1))


def draw_children(node, inside, indent):
    lines, run = [], []
    for child in node["children"]:
        if run and shape(child) != shape(run[0]):
            lines += draw_run(run, inside, indent)
            run = []
        run.append(child)
    return lines + (draw_run(run, inside, indent) if run else [])


def draw_tree(tree):
    name = "machine"
    if tree["name"] != "machine":
        name += " (%s)" % tree["name"].partition("+")[2].replace("+", ", ")
    right = count_of(tree["processors"], "processor")
    if tree["cpus"]:
        right += ": CPUs " + tree["cpus"]
    lines = [(name, right)] + draw_children(tree, False, 1)
    width = max(len(left) for left, _ in lines)
    return ["%-*s  %s" % (width, left, right) for left, right in lines]


def draw_groups(groups):
    lines = []
    for group in groups:
        teams, n = group["teams"], count_of(group["members"], "member")
        ranges = listing([show_range(t["first"], t["processors"]) for t in teams], group["more"])
        many = "%d%s teams of %s" % (len(teams), " and more" if group["more"] else "", n)
        lines.append("level %d  %s on processors %s" %
                     (group["level"], many if len(teams) > 1 else "a team of " + n, ranges))
    return lines


def draw(machine, pairs):
    """The lines of `nanogomp info` under the table."""
    one = dict(pairs)
    lines = ["", "machine, from %s" % machine["from"]]
    lines += ["  " + line for line in draw_tree(machine["tree"])]
    for kind in machine["cores"]:
        lines.append("  cores of speed %d: processors %s" %
                     (kind["speed"], listing(kind["processors"])))
    lines += ["", "allowed: %s" % one.get("cpus_why", "not known")]
    places = one.get("place-partition-var", "none")
    lines.append("places: %s" % places)
    if machine["seats"]:
        lines.append("seats of a team's members: %s" % listing([str(s) for s in machine["seats"]]))
    lines += ["", "groups"] + ["  " + line for line in draw_groups(machine["groups"])]
    return lines
