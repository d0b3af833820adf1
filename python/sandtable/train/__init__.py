"""Training of networks by self-play: `python -m sandtable.train tribun --run runs/t1 --hours 2`.

One machine, one command, one folder: self-play with `BatchMCTS`, a replay window, learning, matches that
decide whether a new network replaces the old one, and a report. The same command continues a run that was
stopped or killed.
`docs/training.md` is the manual.
"""
