"""What runs inside the box: the model's tools, the box server and the test runners.

Standard library only; shipped into every box as one zip file whose digest is attested.
"""
