import { readConfig } from '#config'
import { migrate } from '#platform/database/migrate.ts'
import { MIGRATIONS_FOLDER, openDatabase } from './database.ts'

export async function run(): Promise<void> {
  const database = await openDatabase(readConfig())
  try {
    const applied = await migrate(database.url, MIGRATIONS_FOLDER)
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
  } finally {
    await database.close()
  }
}
