# page.py - the page of all experiments: Markdown, HTML, and a plot for each figure
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Everything is made from kept results: pages can be written again without measuring."""

import base64
import html
import io
import os
import sys
import textwrap

from papers import mechanisms
from papers.experiment import DIFFERS, PAPERS, UNKNOWN, Values, Verdict

STYLE = """body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;border-bottom:1px solid #ccc;
text-align:right}td:first-child,th:first-child{text-align:left}img{max-width:100%}
.holds{color:#060}.differs{color:#a40}.simulated{color:#046}h2{margin-top:2.5em}"""

INTRODUCTION = """This page is written by `nanogomp bench papers`. For each experiment of the five
papers it has what the paper found, what this machine shows, and a verdict. `simulated`: the machine
has too few processors, so [nanogomp predict](predict.md) tells."""


def verdict_of(experiment, result):
    if result is None:
        return Verdict(UNKNOWN, "There is no result yet.")
    verdict = experiment.judge(Values(result["rounds"]))
    if verdict.state == DIFFERS and experiment.why:
        return Verdict(DIFFERS, "%s %s" % (verdict.sentence, experiment.why))
    return verdict


def rounds_text(values):
    dropped = ", %d dropped" % values.dropped if values.dropped else ""
    line = ", line round trip %.0f ns" % values.line() if values.line() else ""
    return "%d round%s%s%s" % (len(values.kept), "s" * (len(values.kept) != 1), dropped, line)


# Plots


def plotter(packages):
    """matplotlib's pyplot, from the given folders too, or None."""
    before = list(sys.path)
    sys.path.extend(packages)
    try:
        import matplotlib
        matplotlib.use("Agg")
        matplotlib.rcParams["svg.hashsalt"] = "nanogomp"  # the same picture, the same file
        from matplotlib import pyplot
        return pyplot
    except ImportError:
        return None
    finally:
        sys.path[:] = before


def draw(pyplot, experiment, result):
    """The SVG of an experiment's figure, or None: it has none, or nothing was measured."""
    if not pyplot or result is None or experiment.plot is None:
        return None
    what = experiment.plot(Values(result["rounds"]))
    figure, axes = pyplot.subplots(figsize=(6, 3.6))
    for name, points in what.curves.items():
        points = [(x, y) for x, y in points if y is not None and (y > 0 or not what.log_y)]
        if points:
            axes.plot(*zip(*points), "o-", label=name, markersize=4)
    if not axes.lines:
        pyplot.close(figure)
        return None
    if what.log_x:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda x, _pos: "%g" % x)
    if what.log_y:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(lambda y, _pos: "%g" % y)
    else:
        axes.set_ylim(bottom=0)
    axes.set(xlabel=what.x, ylabel=what.y, title=experiment.title)
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return out.getvalue()


# Markdown


def prose(text):
    """A paragraph in lines of at most 100 columns; what a line must not break stays whole."""
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def markdown_table(rows):
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" + "|---:" * (len(rows[0]) - 1) + "|"] + lines[1:])


def summary_rows(experiments, results):
    rows = [["paper", "place", "experiment", "state"]]
    for e in experiments:
        rows.append([e.paper, e.place, e.title,
                     verdict_of(e, results[e.name]).state])
    return rows


def machine_text(results):
    """One sentence for each machine and commit that results come from."""
    sources = {}
    for result in results.values():
        if result:
            about = result["about"]
            text = "%s, %d CPUs used, commit `%s`" % (about["cpu"], about["cpus"], about["commit"])
            sources.setdefault(text, []).append(about["date"][:10])
    return ["%s: %s." % (", ".join(sorted(set(dates))), text) for text, dates in sources.items()]


def markdown(experiments, results, pictures):
    """The page; pictures: {name of an experiment: its SVG's path, from the page}."""
    parts = ["# The papers, experiment by experiment", "", INTRODUCTION, ""]
    parts += [prose(text) for text in machine_text(results)] + [""]
    parts += [markdown_table(summary_rows(experiments, results)).replace("---:", "---"), ""]
    parts += [prose("Beside their experiments the papers describe mechanisms. `otherwise`: the "
                    "page tells how, and why."), "",
              markdown_table(mechanisms.rows()).replace("---:", "---"), ""]
    for paper, title in PAPERS.items():
        parts += ["## %s%s" % (paper[0].upper(), paper[1:]), "", prose(title + "."), ""]
        for e in (e for e in experiments if e.paper == paper):
            parts += section(e, results[e.name], pictures.get(e.name))
    return "\n".join(parts).rstrip() + "\n"


def section(e, result, picture):
    verdict = verdict_of(e, result)
    parts = ['<a name="%s"></a>' % e.name, "", "### %s" % e.title, "",
             prose("*Section %s.* The paper: %s" % (e.place, e.found)), ""]
    if e.note:
        parts += [prose(e.note), ""]
    if result:
        values = Values(result["rounds"])
        parts += [markdown_table(e.table(values)), ""]
        if picture:
            parts += ["![%s](%s)" % (e.title, picture), ""]
        parts += [prose("Failed: %s: %s." % pair) for pair in values.troubles()]
        parts += [prose("**%s.** %s (%s)" % (verdict.state.capitalize(), verdict.sentence,
                                             rounds_text(values))), ""]
    else:
        parts += [prose("**%s.** %s" % (verdict.state.capitalize(), verdict.sentence)), ""]
    return parts + ["    nanogomp bench papers --only %s" % e.name, ""]


# HTML


def html_table(rows):
    def line(cells, tag):
        return "<tr>%s</tr>" % "".join("<%s>%s</%s>" % (tag, html.escape(c), tag) for c in cells)
    return "<table>%s%s</table>" % (line(rows[0], "th"), "".join(line(r, "td") for r in rows[1:]))


def html_page(experiments, results, svgs):
    """One self-contained page; svgs: {name of an experiment: bytes}."""
    parts = ["<!doctype html><meta charset=utf-8><title>nanogomp: the papers</title>",
             "<style>%s</style><h1>The papers, experiment by experiment</h1>" % STYLE]
    parts += ["<p>%s</p>" % html.escape(text.replace("`", "")) for text in machine_text(results)]
    rows = "".join('<tr><td>%s<td>%s<td><a href="#%s">%s</a><td class="%s">%s' % (
        html.escape(e.paper), html.escape(e.place), e.name, html.escape(e.title),
        state.replace(" ", "-"), state)
        for e in experiments for state in [verdict_of(e, results[e.name]).state])
    parts.append("<table><tr><th>paper<th>place<th>experiment<th>state%s</table>" % rows)
    for paper, title in PAPERS.items():
        parts.append("<h2>%s</h2><p>%s.</p>" % (html.escape(paper), html.escape(title)))
        for e in (e for e in experiments if e.paper == paper):
            parts += html_section(e, results[e.name], svgs.get(e.name))
    return "\n".join(parts) + "\n"


def html_section(e, result, svg):
    verdict = verdict_of(e, result)
    parts = ['<h3 id="%s">%s</h3><p><i>Section %s.</i> The paper: %s</p>' % (
        e.name, html.escape(e.title), html.escape(e.place), html.escape(e.found))]
    if e.note:
        parts.append("<p>%s</p>" % html.escape(e.note))
    tail = ""
    if result:
        values = Values(result["rounds"])
        parts.append(html_table(e.table(values)))
        tail = " (%s)" % rounds_text(values)
    if svg:
        parts.append('<img alt="%s" src="data:image/svg+xml;base64,%s">' % (
            html.escape(e.title), base64.b64encode(svg).decode()))
    parts.append('<p><b class="%s">%s.</b> %s%s</p>' % (
        verdict.state.replace(" ", "-"), verdict.state.capitalize(),
        html.escape(verdict.sentence), tail))
    return parts


def write(markdown_path, html_path, experiments, results, pyplot):
    """Both pages, and the plots in a folder beside the Markdown one that has its name."""
    svgs = {e.name: svg for e in experiments for svg in [draw(pyplot, e, results[e.name])] if svg}
    stem = os.path.splitext(markdown_path)[0]
    if svgs:
        os.makedirs(stem, exist_ok=True)
    pictures = {}
    for name, svg in svgs.items():
        pictures[name] = "%s/%s.svg" % (os.path.basename(stem), name)
        with open(os.path.join(stem, name + ".svg"), "wb") as file:
            file.write(svg)
    with open(markdown_path, "w", encoding="utf-8") as file:
        file.write(markdown(experiments, results, pictures))
    if html_path:
        with open(html_path, "w", encoding="utf-8") as file:
            file.write(html_page(experiments, results, svgs))
