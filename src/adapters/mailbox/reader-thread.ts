import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { answerEach } from '#platform/thread.ts'
import type { RawMail } from './fetch.ts'
import { readIncoming } from './incoming.ts'

answerEach<RawMail, IncomingMail>(
  ({ raw, at, cut }) => readIncoming(raw, at, { cut }),
  ({ files }) => [...new Set(files.map(({ bytes }) => bytes.buffer as ArrayBuffer))],
)
