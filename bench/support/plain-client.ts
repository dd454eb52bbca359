import { connect } from 'node:net'

export type Asked = { perSecond: number; p99Ms: number }

/**
 * Asks for one address on many connections, one question at a time on each, for as long as told. It reads no header: a
 * client that takes answers apart has more to do with long ones than the server, and would measure itself. Each answer
 * is one JSON object: its last byte ends it.
 */
export async function askPlainly(
  url: string,
  connections: number,
  seconds: number,
  status: number,
): Promise<Asked> {
  const { hostname, port, pathname } = new URL(url)
  const question = `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`
  const right = Buffer.from(`HTTP/1.1 ${status} `)
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  const began = performance.now()
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(question))
      socket.setNoDelay(true)
      let asked = performance.now()
      let isNew = true
      socket.on('error', reject)
      socket.on('data', (chunk: Buffer) => {
        if (isNew && right.compare(chunk, 0, right.length) !== 0)
          return reject(new Error(chunk.toString().slice(0, 200)))
        isNew = chunk.at(-1) === END
        if (!isNew) return
        const now = performance.now()
        times.push(now - asked)
        if (now > until) return void socket.end(resolve)
        asked = now
        socket.write(question)
      })
    })
  await Promise.all(Array.from({ length: connections }, ask))
  const tookS = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  return { perSecond: times.length / tookS, p99Ms: times[Math.floor(times.length * 0.99)]! }
}

const END = '}'.charCodeAt(0)
