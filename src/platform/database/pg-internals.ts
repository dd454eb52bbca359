import type { Readable } from 'node:stream'
import pg from 'pg'
import * as parser from 'pg-protocol/dist/parser.js'

/** What pg's own Query class uses to send a value; not in its published types. */
const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): unknown } }

export const prepareValue = utils.prepareValue

type Message = { name: string }

/** Takes the bytes of the server apart; in the published types, the step for one message is private. */
export const Parser = parser.Parser as unknown as new () => {
  parse(chunk: Buffer, take: (message: Message) => void): void
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): unknown
}

type Connection = {
  /** Called once the connection is up, with or without TLS. */
  attachListeners(stream: Readable): void
  emit(name: string, message: Message): void
  _emitMessage: boolean
}

/** A client whose connection is in reach. */
export const Client = pg.Client as unknown as new (config?: string | object) => pg.Client & {
  connection: Connection
}

/** Hands a message on, as the connection itself does. */
export function tell(connection: Connection, message: Message): void {
  if (connection._emitMessage) connection.emit('message', message)
  connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message)
}
