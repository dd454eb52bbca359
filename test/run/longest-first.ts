import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readTimings } from './timings.ts'

/** So that no worker is left alone with a long file at the end. A file that is new may be long. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timings = readTimings()
    const msOf = ({ testModule, moduleId }: TestSpecification) =>
      timings[testModule?.relativeModuleId ?? moduleId.slice(this.ctx.config.root.length + 1)] ?? Infinity
    return files.toSorted(
      (a, b) => (msOf(b) === msOf(a) ? 0 : msOf(b) - msOf(a)) || (a.moduleId < b.moduleId ? -1 : 1),
    )
  }
}
