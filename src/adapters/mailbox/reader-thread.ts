import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { answerEach } from '#platform/thread.ts'
import { readIncoming } from './incoming.ts'
import type { RawMail } from './reader.ts'

answerEach<RawMail, IncomingMail>(({ raw, at }) => readIncoming(raw, at))
