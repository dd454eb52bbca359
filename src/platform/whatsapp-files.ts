const MIB = 1024 * 1024

/** What WhatsApp takes, by the type of the file; images of other types are sent as documents. */
const kinds = [
  { kind: 'image', types: ['image/jpeg', 'image/png'], bytesMax: 5 * MIB },
  { kind: 'video', types: ['video/mp4', 'video/3gpp'], bytesMax: 16 * MIB },
  {
    kind: 'document',
    types: [
      'text/plain',
      'application/pdf',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
    bytesMax: 100 * MIB,
  },
] as const

export type WhatsAppFileKind = (typeof kinds)[number]['kind']

export function kindOfFile(type: string): WhatsAppFileKind {
  return ruleOf(type)?.kind ?? 'document'
}

/** Why WhatsApp would not take it. */
export function faultOfFile({ type, size }: { type: string; size: number }): string | undefined {
  const rule = ruleOf(type)
  if (!rule)
    return 'is not a file that WhatsApp takes: JPEG, PNG, MP4, 3GP, PDF, text, Word, Excel or PowerPoint'
  if (size > rule.bytesMax) return `is larger than ${rule.bytesMax / MIB} MiB`
  return undefined
}

function ruleOf(type: string) {
  const bare = type.split(';')[0]!.trim().toLowerCase()
  return kinds.find(({ types }) => (types as readonly string[]).includes(bare))
}
