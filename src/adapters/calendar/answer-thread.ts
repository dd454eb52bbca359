import { answerEach } from '#platform/thread.ts'
import { readAnswer, type Answer, type Question } from './answer.ts'

answerEach<Question, Answer[]>(readAnswer)
