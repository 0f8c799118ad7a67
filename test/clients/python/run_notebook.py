"""Runs the code of a notebook from its first cell to its last, as a fresh kernel would. Arguments: the notebook."""
import json
import sys

with open(sys.argv[1]) as file:
    notebook = json.load(file)
names = {"__name__": "__main__"}
for cell in notebook["cells"]:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
