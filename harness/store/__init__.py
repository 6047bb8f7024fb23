"""Run folders: locks, transcripts, records, trees; appends and atomic renames only."""
