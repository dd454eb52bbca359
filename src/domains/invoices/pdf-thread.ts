import { answerEach } from '#platform/thread.ts'
import { invoicePdf } from './pdf.ts'
import type { Question } from './printing.ts'

answerEach<Question, Uint8Array>(({ invoice, settings }) => invoicePdf(invoice, settings))
