"""A task made from a project of the user's own: ``proctor task new``.

``project`` looks at the tree, ``history`` reads a fix out of git, ``draft`` divides gold, starting
tree and hidden tests, ``examine`` runs them and says what cannot count, ``folder`` writes it all.
"""
