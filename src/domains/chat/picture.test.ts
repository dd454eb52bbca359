import { expect, test } from 'vitest'
import { pictureIn } from './picture.ts'
import { jpegOf, pngOf, webpOf } from './picture.harness.ts'

test('a PNG, a JPEG and all three kinds of WebP are known by their bytes, with their size', () => {
  expect(pictureIn(pngOf(300, 200))).toEqual({ type: 'image/png', width: 300, height: 200 })
  expect(pictureIn(jpegOf(640, 480))).toEqual({ type: 'image/jpeg', width: 640, height: 480 })
  for (const kind of ['VP8 ', 'VP8L', 'VP8X'] as const)
    expect(pictureIn(webpOf(kind, 77, 12345)), kind).toEqual({
      type: 'image/webp',
      width: 77,
      height: 12345,
    })
})

test('everything else is no picture, also when it is cut off or goes on forever', () => {
  const others = ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', '<html>', 'RIFF____WEBPVP9 ']
  for (const text of others) expect(pictureIn(Buffer.from(text.padEnd(40)))).toBeUndefined()
  for (const whole of [pngOf(3, 3), jpegOf(3, 3), webpOf('VP8X', 3, 3)])
    for (let length = 0; length < 20; length++) expect(pictureIn(whole.subarray(0, length))).toBeUndefined()
  expect(pictureIn(pngOf(0, 10))).toBeUndefined()
  const endless = Buffer.alloc(100_000, 0xff)
  endless[1] = 0xd8
  expect(pictureIn(endless)).toBeUndefined()
  expect(pictureIn(Buffer.from('ffd8ffe00000'.padEnd(80, '0'), 'hex'))).toBeUndefined()
})
