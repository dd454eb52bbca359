import { ById, defineEndpoints, Id, Instant, t, type Static } from '#platform/contract.ts'
import { FILE_BYTES_MAX, UNUSED_FOR_HOURS } from './values.ts'

export const File = t.Object(
  {
    id: Id,
    name: t.String(),
    type: t.String({ description: 'The media type that its sender gave' }),
    size: t.Integer({ description: 'In bytes' }),
    created_at: Instant,
  },
  { $id: 'File' },
)
export type File = Static<typeof File>

export const endpoints = defineEndpoints({
  uploadFile: {
    method: 'POST',
    path: '/api/files',
    summary: 'Upload a file to send with a message',
    description: `The body is the file, of any type and at most ${FILE_BYTES_MAX / 1024 / 1024} MiB; \`Content-Disposition\` has its name. A file that is not sent within ${UNUSED_FOR_HOURS} hours is removed.`,
    auth: { scope: 'conversations:write' },
    upload: 'application/octet-stream',
    output: File,
    status: 201,
  },
  readFile: {
    method: 'GET',
    path: '/api/files/:id',
    summary: 'Download a file of a message',
    auth: { scope: 'conversations:read' },
    params: ById,
    media: 'application/octet-stream',
  },
})
