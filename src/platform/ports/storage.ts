import type { Readable } from 'node:stream'

/** Where the bytes of files are kept. A key is `<team>/<id>`; writing again replaces. */
export type Storage = {
  kind: 'disk' | 's3'
  /** Settles once the bytes are safe. What fails half-way is not there. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Undefined where there is nothing of that name. */
  get(key: string): Promise<Readable | undefined>
  /** One that is gone already is well. */
  remove(key: string): Promise<void>
  /** For `rapport doctor`: can be written and read, or an error that says what is wrong. */
  check(): Promise<void>
}
