import { expect, test } from 'vitest'
import { ApiProblem } from '../problem.ts'
import { faultsByField } from './field-faults.ts'

const refused = (...errors: { path: string; message: string }[]) =>
  new ApiProblem({ status: 422, code: 'invalid', title: 'Invalid', detail: 'Not like this.', errors })

test('each fault is said at the field it is about', () => {
  const error = refused(
    { path: 'email', message: 'must be an e-mail address' },
    { path: 'lines[0].unit_price', message: 'is too large' },
    { path: 'custom.email', message: 'is too long' },
  )
  expect(faultsByField(error, ['email', 'custom.email', 'unit_price'])).toEqual({
    email: 'Must be an e-mail address',
    'custom.email': 'Is too long',
    unit_price: 'Is too large',
  })
})

test('what is about no field that is shown is said of the whole', () => {
  expect(faultsByField(refused({ path: 'owner_id', message: 'is gone' }), ['name'])).toEqual({
    '': 'Is gone',
  })
  expect(faultsByField(refused(), ['name'])).toEqual({ '': 'Not like this.' })
  expect(faultsByField(new Error('broken'), [])).toEqual({ '': 'Something went wrong on this page.' })
})
