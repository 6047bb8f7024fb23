"""Honest but odd solutions: what is right must be graded clean, however it is written.

Tables of small pieces: ``python_code``, ``python_behaviour``, ``node_code``, ``node_behaviour``
(trees of the two small repositories), ``answers`` (functions, as of HumanEval and MBPP) and
``class_answers`` (a class, as of ClassEval). Each entry solves its task. One that is not resolved,
or is taken for tampering, is a fault of the grading: the control that refuses it is redesigned, no
entry is removed.

A share that PROCTOR_SEED repeats is graded in each run of the tests; ``python -m tests.honest``
grades all of them and prints their counts. The gold solutions of the shipped tasks are graded by
``tests/e2e/test_corpus.py``, the references of the published suites by
``tests/suites/test_pool_references.py``.
"""
