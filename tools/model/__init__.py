"""The eight tools, one file each; every one has `run(workspace, arguments, ...)`."""
