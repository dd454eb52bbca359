import { readConfig, unknownVariables, type Config } from '#config'
import { checkDatabase } from './doctor/database.ts'
import { bad, broken, good, line, note, type Finding } from './doctor/finding.ts'
import { checkMachine, checkNode } from './doctor/machine.ts'
import { checkProviders } from './doctor/providers.ts'

export async function run(): Promise<number> {
  let found = 0
  const show = (finding: Finding) => {
    console.log(line(finding))
    if (broken(finding)) found++
  }
  for await (const finding of examine()) show(finding)
  if (found === 0) return 0
  console.log(`\n${found === 1 ? '1 problem' : `${found} problems`} found.`)
  return 1
}

async function* examine(): AsyncGenerator<Finding> {
  yield checkNode()
  for (const name of unknownVariables())
    yield note('configuration', `${name} is set, but Rapport has no such variable`)
  let config: Config
  try {
    config = { ...readConfig(), logLevel: 'silent', databasePoolSize: 2 }
  } catch (error) {
    yield bad('configuration', (error as Error).message)
    return yield note('everything else', 'not checked until the configuration is valid')
  }
  yield good('configuration', config.production ? 'production' : 'development')
  yield* checkMachine(config)
  yield* checkDatabase(config)
  yield* checkProviders(config)
}
