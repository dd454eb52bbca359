import { expect, test } from 'vitest'
import {
  argumentName,
  clockOf,
  durationInWords,
  readDuration,
  resultInWords,
  safeAddress,
  toolName,
} from './words.ts'

test('a duration is told by the clock and in words', () => {
  expect([0, 75, 3_675, -3].map(clockOf)).toEqual(['0:00', '1:15', '1:01:15', '0:00'])
  expect([0, 45, 60, 125, 3_660].map(durationInWords)).toEqual([
    '0 s',
    '45 s',
    '1 min',
    '2 min 5 s',
    '1 h 1 min',
  ])
})

test('minutes are read as people type them', () => {
  expect(['5', ' 5:30 ', '1:02:03', '2,5', '0'].map(readDuration)).toEqual([300, 330, 3_723, 150, 0])
  expect(['', 'five', '5:75', '-1', '5 min', '1e3'].map(readDuration)).toEqual(Array(6).fill(undefined))
})

test('tools and what they were asked are told in words', () => {
  expect(toolName('schedule_meeting')).toBe('Book a meeting')
  expect(toolName('check_stock')).toBe('Check stock')
  expect(toolName('constructor')).toBe('Constructor')
  expect(['startsAt', 'duration_min', 'title'].map(argumentName)).toEqual([
    'Starts at',
    'Duration min',
    'Title',
  ])
})

test('what a tool answered shows its times as people read them', () => {
  expect(
    resultInWords('Booked: Demo, Monday 2 March 2026, 10:00 (Europe/Berlin, 2026-03-02T09:00:00.000Z).'),
  ).toBe('Booked: Demo, Monday 2 March 2026, 10:00 (Europe/Berlin).')
  expect(resultInWords('It is free at 2026-03-02T09:00:00Z.')).not.toMatch(/\dT\d|Z\./)
  expect(resultInWords('2026-99-99T99:99Z and 2026-03-02')).toBe('2026-99-99T99:99Z and 2026-03-02')
})

test('a recording that is no address of the web is not followed', () => {
  expect(safeAddress('https://media.example.test/1.mp3')).toBe('https://media.example.test/1.mp3')
  for (const address of ['javascript:alert(1)', 'data:text/html,x', ' https://x', null])
    expect(safeAddress(address)).toBeUndefined()
})
