export const templateFormats = ['markdown', 'html'] as const
export type TemplateFormat = (typeof templateFormats)[number]
export const SUBJECT_LENGTH_MAX = 300
export const BODY_LENGTH_MAX = 100_000
export const TEMPLATE_NAME_LENGTH_MAX = 60
