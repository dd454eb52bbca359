/** Resolves after all pending microtasks: everything that asks in the same moment has done so. */
export function whenAllHaveAsked(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve))
}
