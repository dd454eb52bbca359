import { readConfig } from '#config'
import { migrate as bringForward } from '#platform/database/migrate.ts'
import type { Command } from './command.ts'
import { MIGRATIONS_FOLDER, openDatabase } from './database.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: 'Bring the database schema forward',
  details: 'Safe to run while other processes do the same. `rapport start` does it by itself.',
  options: {},
  async run() {
    const database = await openDatabase(readConfig())
    try {
      const applied = await bringForward(database.url, MIGRATIONS_FOLDER)
      console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
    } finally {
      await database.close()
    }
  },
}
