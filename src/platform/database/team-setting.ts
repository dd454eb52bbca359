import { isId } from '../ids.ts'
import type { Statement } from './flush.ts'

/** Checked text in the statement itself: on a sharded database only SET LOCAL reaches the shards. */
export function teamSetting(team: string): Statement {
  if (!isId(team)) throw new Error('a team is 24 lower-case hex characters')
  return { text: `set local app.team = '${team}'`, values: [], quiet: true }
}

/** For work of the installation: it sees the tables that are for all teams whole, and of a team's own tables nothing. */
export const INSTALLATION_SETTING: Statement = { text: `set local app.team = '*'`, values: [], quiet: true }
