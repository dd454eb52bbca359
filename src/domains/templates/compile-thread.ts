import { answerEach } from '#platform/thread.ts'
import type { Question } from './compiling.ts'
import { compile, type Compiled } from './render.ts'

answerEach<Question, Compiled>(({ template, customKeys }) => compile(template, customKeys))
