import { readConfig } from '#config'
import { loadDemo, removeDemo } from '../demo/demo.ts'
import type { Command } from './command.ts'
import { withContext } from './database.ts'

export const seed: Command = {
  name: 'seed',
  summary: 'Load the demo team, or take it away',
  details:
    'A small company with some 200 leads and their history. Only for development; a second load does nothing.',
  options: {
    remove: { type: 'boolean', describe: 'take the demo team away, with everything that belongs to it' },
  },
  async run(values) {
    if (readConfig().production)
      throw new Error('The demo team is for development: with NODE_ENV=production, seed does nothing.')
    console.log(await withContext(({ runtime }) => (values.remove ? remove(runtime) : load(runtime))))
  },
}

type Runtime = Parameters<typeof loadDemo>[0]

async function load(runtime: Runtime): Promise<string> {
  return (await loadDemo(runtime)) ? 'The demo team is loaded.' : 'The demo team is there already.'
}

async function remove(runtime: Runtime): Promise<string> {
  return (await removeDemo(runtime)) ? 'The demo team is gone.' : 'There is no demo team.'
}
