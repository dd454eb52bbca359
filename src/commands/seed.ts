import { readConfig } from '#config'
import { loadDemo, removeDemo } from '../demo/demo.ts'
import type { Values } from './command.ts'
import { withContext } from './database.ts'

export async function run(values: Values): Promise<void> {
  if (readConfig().production)
    throw new Error('The demo team is for development only: seed does nothing with NODE_ENV=production.')
  console.log(await withContext(({ runtime }) => (values.remove ? remove(runtime) : load(runtime))))
}

type Runtime = Parameters<typeof loadDemo>[0]

async function load(runtime: Runtime): Promise<string> {
  return (await loadDemo(runtime)) ? 'The demo team is loaded.' : 'The demo team is already loaded.'
}

async function remove(runtime: Runtime): Promise<string> {
  return (await removeDemo(runtime)) ? 'The demo team was removed.' : 'There is no demo team.'
}
