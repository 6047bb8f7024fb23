"""Fresh tasks: defects that a programmer would make, planted in a repository that is right."""
