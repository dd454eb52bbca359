import { oneOf, t, Text } from '#platform/contract.ts'
import { leadTargets, SLUG_LENGTH_MAX } from './values.ts'

export const KEY_PATTERN = '^[a-z][a-z0-9_]{0,39}$'

export const Target = t.Union([
  oneOf(leadTargets),
  t.String({ pattern: '^custom\\.[a-z][a-z0-9_]{0,39}$', description: 'A custom lead field' }),
])

export const AutoReply = t.Object(
  {
    enabled: t.Boolean(),
    subject: Text,
    body: t.String({
      minLength: 1,
      maxLength: 10_000,
      pattern: '^[^\\u0000]*$',
      description:
        'Plain text. {{key}} is replaced by the answer if it looks like a name, and left out otherwise.',
    }),
  },
  { additionalProperties: false },
)

export const Slug = t.String({
  maxLength: SLUG_LENGTH_MAX,
  pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$',
  description:
    'Path of the hosted page, /f/<slug>: lower-case letters, digits and hyphens. Unique in the installation.',
})

export const LongLine = t.String({ minLength: 1, maxLength: 2_000, pattern: '^[^\\u0000]*$' })

export const Domain = t.String({
  maxLength: 253,
  pattern:
    '^(?:\\*\\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\\d{1,5})?$',
})
