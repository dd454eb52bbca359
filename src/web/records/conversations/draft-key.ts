/** Where drafts of replies are kept in this tab. Signing out removes them. */
export const DRAFTS_KEY = 'rapport.replies'
