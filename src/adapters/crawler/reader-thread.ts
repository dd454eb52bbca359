import { parentPort } from 'node:worker_threads'
import { decode } from './charset.ts'
import { extract, type Source } from './extract.ts'

parentPort!.on('message', ({ bytes, source }: { bytes: Uint8Array; source: Source }) =>
  tell(extract(decode(bytes, source.headers['content-type']), source)),
)
tell('ready')

function tell(word: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort!.postMessage(word)
}
