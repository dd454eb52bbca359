// Somebody else on the same machine, who takes the processor or the disk: what `npm run test:shake` runs beside the tests.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const [, , what, folder] = process.argv
const BLOCK_BYTES = 4 * 1024 * 1024
const BLOCKS = 16

// Nobody's neighbour for ever: it goes when the one who started it is gone.
const parent = process.ppid
const alone = () => process.ppid !== parent

if (what === 'disk') writeForEver()
else spinForEver()

function spinForEver() {
  const until = Date.now() + 200
  while (Date.now() < until);
  if (!alone()) setImmediate(spinForEver)
}

function writeForEver() {
  const block = Buffer.alloc(BLOCK_BYTES, 'x')
  const file = openSync(join(folder, 'neighbour'), 'w')
  for (let n = 0; n < BLOCKS; n++) {
    writeSync(file, block)
    fsyncSync(file)
  }
  closeSync(file)
  if (!alone()) setImmediate(writeForEver)
}
