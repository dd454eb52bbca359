import { expect, test } from 'vitest'
import { FILE_BYTES_MAX, FILES_OF_MESSAGE_MAX } from '#domains/files/values.ts'
import { fileKind, hasPreview } from './kinds.ts'
import { fitting } from './limits.ts'
import { dispositionOf } from './upload.ts'

const file = (name: string, size = 1) => ({ name, size })

test('files fit up to the limits of a message, and each one that does not is named', () => {
  const half = FILE_BYTES_MAX / 2
  expect(fitting([file('a', half)], [file('b', half)])).toEqual({ fit: [file('b', half)] })
  expect(fitting([file('a', half)], [file('b', half + 1), file('c', half)])).toEqual({
    fit: [file('c', half)],
    fault: 'b does not fit: the files of a message can have 25 MiB together.',
  })
  expect(fitting([], [file('a', FILE_BYTES_MAX + 1)]).fault).toBe('a is larger than 25 MiB.')
  expect(fitting([], [file('a', 0)])).toEqual({ fit: [], fault: 'a is empty.' })
})

test('a message has at most twenty files', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => file(String(n)))
  expect(fitting([], many(FILES_OF_MESSAGE_MAX))).toEqual({ fit: many(FILES_OF_MESSAGE_MAX) })
  const { fit, fault } = fitting(many(FILES_OF_MESSAGE_MAX - 1), many(3))
  expect(fit).toHaveLength(1)
  expect(fault).toBe('A message can have 20 files.')
})

test('a file is known by its type, or else by the end of its name', () => {
  expect(fileKind({ name: 'a', type: 'application/pdf' })).toBe('pdf')
  expect(fileKind({ name: 'Offer.PDF', type: 'application/octet-stream' })).toBe('pdf')
  expect(fileKind({ name: 'list.xlsx', type: '' })).toBe('table')
  expect(fileKind({ name: 'photo', type: 'image/jpeg' })).toBe('image')
  expect(fileKind({ name: 'notes', type: 'text/plain; charset=utf-8' })).toBe('text')
  expect(fileKind({ name: 'constructor', type: 'application/x-thing' })).toBe('other')
  expect(fileKind({ name: 'a.constructor', type: '' })).toBe('other')
})

test('only pictures that run nothing are shown', () => {
  expect(hasPreview({ type: 'image/png' })).toBe(true)
  for (const type of ['image/svg+xml', 'text/html', 'image/png, text/html', 'application/pdf'])
    expect(hasPreview({ type }), type).toBe(false)
})

test('the name of a file is sent whole, whatever it has in it', () => {
  expect(dispositionOf('Über "uns" (1).pdf')).toBe(
    "attachment; filename*=UTF-8''%C3%9Cber%20%22uns%22%20%281%29.pdf",
  )
  expect(dispositionOf('a\r\nb')).not.toMatch(/[\r\n]/)
})
