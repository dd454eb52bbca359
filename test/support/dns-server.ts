import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const HEADER_BYTES = 12
const RESPONSE = 0x8180
const TXT = 16
const TTL_S = 60
/** A pointer to the name of the question. */
const SAME_NAME = 0xc00c
const NXDOMAIN = 3

/** The records of each name, each in its parts; a number is the error code of the answer, and `silent` gives none. */
export type Zone = Record<string, string[][] | number | 'silent'>

/** A name server on UDP for TXT records; any other name does not exist. */
export async function startDnsServer(zone: Zone) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = nameIn(query)
    const found = zone[name.toLowerCase()] ?? NXDOMAIN
    if (found === 'silent') return
    const records = typeof found === 'number' ? [] : found
    const header = Buffer.alloc(HEADER_BYTES)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(RESPONSE + (typeof found === 'number' ? found : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    const question = query.subarray(HEADER_BYTES, end + 4)
    socket.send(Buffer.concat([header, question, ...records.map(answerOf)]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise<void>(resolve => socket.close(() => resolve())),
  }
}

function nameIn(query: Buffer): { name: string; end: number } {
  const labels = []
  let at = HEADER_BYTES
  while (query[at] !== 0) {
    const end = at + 1 + query[at]!
    labels.push(query.toString('latin1', at + 1, end))
    at = end
  }
  return { name: labels.join('.'), end: at + 1 }
}

function answerOf(parts: string[]): Buffer {
  const data = Buffer.concat(parts.map(part => Buffer.from([part.length, ...Buffer.from(part)])))
  const head = Buffer.alloc(HEADER_BYTES)
  head.writeUInt16BE(SAME_NAME, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(TTL_S, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
