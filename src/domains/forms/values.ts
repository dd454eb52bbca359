/** The fixed words and limits of forms, apart from the schemas so that the web app can carry them without a validator. */
export const fieldTypes = [
  'text',
  'long_text',
  'email',
  'phone',
  'number',
  'choice',
  'choices',
  'date',
  'checkbox',
  'hidden',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** The fields of a lead that an answer may fill in, beside `custom.<key>`. */
export const leadTargets = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'title',
  'website',
  'timezone',
  'source',
] as const

export const existingPolicies = ['overwrite', 'fill_empty'] as const
export const submissionStatuses = ['RECEIVED', 'QUARANTINED'] as const
export const formSorts = ['name', 'created_at', 'updated_at'] as const

/** Why a submission is in quarantine. */
export const suspicions = ['honeypot', 'too_quick', 'bad_token', 'too_many', 'many_links'] as const
export type Suspicion = (typeof suspicions)[number]

export const FIELDS_MAX = 50
export const OPTIONS_MAX = 100
export const STEPS_MAX = 10
export const NOTIFY_MAX = 10
export const ALLOWED_DOMAINS_MAX = 20
export const SLUG_LENGTH_MAX = 60
export const ANSWER_LENGTH_MAX = 500
export const LONG_ANSWER_LENGTH_MAX = 5_000
/** All answers of one submission together. */
export const ANSWERS_BYTES_MAX = 65_536
