import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** A line to the server that can be cut and mended, as a real one would be. */
export async function startLine(to: string) {
  const { hostname, port } = new URL(to)
  const open = new Set<Socket>()
  let whole = true
  const server = createServer(near => {
    if (!whole) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      whole = false
      for (const socket of open) socket.destroy()
    },
    mend() {
      whole = true
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
