import { answerEach } from '#platform/thread.ts'
import { decode } from './charset.ts'
import { extract, type Extract } from './extract.ts'
import type { Page } from './reader.ts'

answerEach<Page, Extract>(({ bytes, source }) =>
  extract(decode(bytes, source.headers['content-type']), source),
)
