export function findDovecot(): string | undefined
