"""Checks OpenAPI documents by the schema of their version. Arguments: the documents. Ends with 0 when all are valid."""
import json
import sys

from openapi_spec_validator import validate

for path in sys.argv[1:]:
    with open(path) as file:
        validate(json.load(file))
print("all held")
