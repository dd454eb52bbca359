import { expect, test } from 'vitest'
import { agentChoices } from './agent-choices.ts'

test('an agent is chosen by its name, however that is written', () => {
  const agents = ['Sam', 'Robin', 'Sam']
  expect(agentChoices(undefined, agents)).toEqual({ chosen: null, choices: ['Sam', 'Robin'], isGone: false })
  expect(agentChoices(' robin ', agents)).toEqual({
    chosen: 'Robin',
    choices: ['Sam', 'Robin'],
    isGone: false,
  })
})

test('an agent that is gone is still shown, as one that is gone', () => {
  expect(agentChoices('Kim', ['Sam'])).toEqual({ chosen: 'Kim', choices: ['Sam', 'Kim'], isGone: true })
})
