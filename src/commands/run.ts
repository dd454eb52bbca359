import { parseArgs } from 'node:util'
import { ConfigError } from '#config'
import { isConnectionLoss } from '#platform/database/pool.ts'
import { UsageError, type Command, type Values } from './command.ts'
import { commands } from './commands.ts'

const EXIT_FAILURE = 1
const EXIT_USAGE = 2

/** Runs the command line after `rapport` to completion and returns the exit code. */
export async function runCommand([name, ...rest]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return say(overview())
  if (name === '--version')
    return say((await import('../../package.json', { with: { type: 'json' } })).default.version)
  const command = commands.find(candidate => candidate.name === name)
  if (!command) return complain(`Unknown command: ${name}.\n\n${overview()}`, EXIT_USAGE)
  if (rest.includes('--help') || rest.includes('-h')) return say(help(command))
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: command.options,
      allowPositionals: Boolean(command.positional),
    })
    const { run } = await command.load()
    return (await run(values as Values, positionals)) ?? 0
  } catch (error) {
    if (error instanceof UsageError || isParseError(error)) {
      return complain(`${(error as Error).message}\n\n${help(command)}`, EXIT_USAGE)
    }
    if (error instanceof ConfigError) return complain(error.message, EXIT_FAILURE)
    if (isConnectionLoss(error))
      return complain(
        `The database is not reachable: ${reasonOf(error)}. Check DATABASE_URL, or run rapport doctor.`,
        EXIT_FAILURE,
      )
    return complain((error as Error).message, EXIT_FAILURE)
  }
}

function overview(): string {
  const width = Math.max(...commands.map(command => command.name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Rapport: business communication and CRM with AI agents.\n\nUsage: rapport <command> [options]\n\n${lines.join('\n')}\n\nRun rapport <command> --help for details. Configure Rapport with environment variables; rapport doctor checks them.`
}

function help({ name, summary, details, options, positional }: Command): string {
  const rows = Object.entries(options).map(([option, { type, describe }]) => [
    `--${option}${type === 'string' ? ' …' : ''}`,
    describe,
  ])
  const width = Math.max(0, ...rows.map(([option]) => option!.length))
  const list = rows.map(([option, describe]) => `  ${option!.padEnd(width)}  ${describe}`).join('\n')
  return `Usage: rapport ${name}${positional ? ` <${positional}>` : ''}${rows.length > 0 ? ' [options]' : ''}\n\n${summary}.${details ? `\n${details}` : ''}${list && `\n\n${list}`}`
}

function say(text: string): number {
  console.log(text)
  return 0
}

function complain(text: string, code: number): number {
  console.error(text)
  return code
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}

function isParseError(error: unknown): boolean {
  return String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS')
}
