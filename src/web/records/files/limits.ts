import { FILE_BYTES_MAX, FILES_OF_MESSAGE_MAX } from '#domains/files/values.ts'
import { plural } from '../../ui/words.ts'
import { sizeInWords } from '../imports/words.ts'

type Sized = { name: string; size: number }

/** Which of the chosen files fit beside those that are attached already, and why the others do not. */
export function fitting<F extends Sized>(
  attached: readonly Sized[],
  chosen: readonly F[],
): { fit: F[]; fault?: string } {
  const fit: F[] = []
  const faults: string[] = []
  let count = attached.length
  let bytes = sumOf(attached)
  for (const file of chosen) {
    const fault =
      file.size === 0
        ? `${file.name} is empty.`
        : count >= FILES_OF_MESSAGE_MAX
          ? `A message can have ${plural(FILES_OF_MESSAGE_MAX, 'file')}.`
          : bytes + file.size > FILE_BYTES_MAX
            ? tooLarge(file, count > 0)
            : undefined
    if (fault) faults.push(fault)
    else {
      fit.push(file)
      count++
      bytes += file.size
    }
  }
  return faults.length > 0 ? { fit, fault: [...new Set(faults)].join(' ') } : { fit }
}

function tooLarge({ name }: Sized, hasOthers: boolean): string {
  const limit = sizeInWords(FILE_BYTES_MAX)
  return hasOthers
    ? `${name} does not fit: the files of a message can have ${limit} together.`
    : `${name} is larger than ${limit}.`
}

function sumOf(files: readonly Sized[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}
