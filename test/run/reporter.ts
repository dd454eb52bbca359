import { stripVTControlCharacters } from 'node:util'
import {
  DefaultReporter,
  type SerializedError,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSuite,
} from 'vitest/node'
import { writeTimings } from './timings.ts'

const FAULTS_SHOWN = 5
const MESSAGE_LINES = 3
const LINE_LENGTH = 160

type Fault = { name: string; message: string; command: string }

/**
 * What the default reporter prints, and at the very end what failed, why, and how to run just that one: whoever opens a
 * long log reads its last lines.
 */
export default class Reporter extends DefaultReporter {
  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason)
    if (process.env.TEST_TIMINGS === 'write' && reason === 'passed') writeTimings(modules)
    for (const line of closingLines(modules, errors)) this.log(line)
  }
}

/** At most thirty lines; the last is `N passed, N failed`. */
export function closingLines(modules: readonly TestModule[], errors: readonly SerializedError[]): string[] {
  const tests = modules.flatMap(module => [...module.children.allTests()])
  const faults = [...modules.flatMap(faultsOf), ...errors.map(faultOfNoTest)]
  const count = (state: string) => tests.filter(test => test.result().state === state).length
  const [passed, skipped] = [count('passed'), count('skipped')]
  const lines = faults
    .slice(0, FAULTS_SHOWN)
    .flatMap(({ name, message, command }) => ['', `✗ ${name}`, message, `  ${command}`])
  if (faults.length > FAULTS_SHOWN) lines.push('', `… and ${faults.length - FAULTS_SHOWN} more, above.`)
  const counts = `${passed} passed, ${faults.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return faults.length > 0 ? [...lines, '', counts] : [counts]
}

/** Its tests that failed; those of its hooks that did, where no test says so. */
function faultsOf(module: TestModule): Fault[] {
  const failed = [...module.children.allTests('failed')].map(test =>
    faultOf(test, test.result().errors ?? []),
  )
  const broken = [module, ...module.children.allSuites()].filter(each => each.errors().length > 0)
  return [...failed, ...broken.map(each => faultOf(each, each.errors()))]
}

function faultOf(task: TestCase | TestSuite | TestModule, errors: readonly SerializedError[]): Fault {
  const file = task.type === 'module' ? task.relativeModuleId : task.module.relativeModuleId
  const name = task.type === 'module' ? '' : task.fullName
  const only = name && ` -t ${quoted(name)}`
  return {
    name: name ? `${file} > ${name}` : file,
    message: messageOf(errors),
    command: `TEST_SEED=${process.env.TEST_SEED} npm test -- ${file}${only}`,
  }
}

/** What was thrown where no test was waiting for it. */
function faultOfNoTest(error: SerializedError): Fault {
  return {
    name: 'outside of any test',
    message: messageOf([error]),
    command: `TEST_SEED=${process.env.TEST_SEED} npm test`,
  }
}

function messageOf(errors: readonly SerializedError[]): string {
  const text = stripVTControlCharacters(errors.map(({ message }) => message).join('\n'))
  const lines = text.split('\n').filter(line => line.trim())
  return lines
    .slice(0, MESSAGE_LINES)
    .map(line => `  ${line.slice(0, LINE_LENGTH)}`)
    .join('\n')
}

/** For a shell, and with what a pattern would read as something else taken for any character. */
function quoted(name: string): string {
  return `'${name.replaceAll(/[^\w ,:;/=-]/g, '.')}'`
}
