/**
 * How many milliseconds of work a thing takes, however long a busy machine makes it wait. For promises such as "a nasty text
 * is read in no time": what takes time by the square takes minutes.
 */
export function workOf(thing: () => void): number {
  const before = process.cpuUsage()
  thing()
  return process.cpuUsage(before).user / 1_000
}
