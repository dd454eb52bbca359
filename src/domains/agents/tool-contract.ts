import { oneOf, t, Text, type Static } from '#platform/contract.ts'
import {
  parameterTypes,
  TOOL_DESCRIPTION_LENGTH_MAX,
  TOOL_PARAMETERS_MAX,
  TOOL_URL_LENGTH_MAX,
} from './values.ts'

export const ToolName = t.String({ pattern: '^[a-z][a-z0-9_]{0,59}$' })

/** Answered by the team's own service, while the agent waits. */
export const CustomTool = t.Object(
  {
    name: ToolName,
    description: t.String({ minLength: 1, maxLength: TOOL_DESCRIPTION_LENGTH_MAX, pattern: '^[^\\u0000]*$' }),
    parameters: t.Array(
      t.Object(
        {
          name: ToolName,
          type: oneOf(parameterTypes),
          description: t.Optional(Text),
          required: t.Optional(t.Boolean()),
        },
        { additionalProperties: false },
      ),
      { maxItems: TOOL_PARAMETERS_MAX },
    ),
    url: t.String({ maxLength: TOOL_URL_LENGTH_MAX, description: 'https only' }),
  },
  { additionalProperties: false },
)
export type CustomTool = Static<typeof CustomTool>

/** The same as it comes in. What is wrong with one is told by the domain: of two alternatives a validator would blame both. */
export const GivenTool = t.Unsafe<CustomTool>({
  type: 'object',
  description: 'A custom tool, as listed in the tools of an Agent',
  examples: [
    {
      name: 'look_up_order',
      description: 'Says where an order is',
      parameters: [{ name: 'order_number', type: 'string', required: true }],
      url: 'https://www.example.com/tools/orders',
    },
  ],
})
export const Tools = t.Array(t.Union([ToolName, CustomTool]))
