export const REDIRECT_URIS_MAX = 10
export const REDIRECT_URI_LENGTH_MAX = 2_000

/** Where a client comes from: the consent page tells a person how far its name can be believed. */
export const clientSources = ['team', 'operator', 'registration', 'document'] as const
export type ClientSource = (typeof clientSources)[number]

export const grantOwners = ['me', 'team'] as const
