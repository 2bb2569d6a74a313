/* SPDX-License-Identifier: GPL-2.0-only */
/* forms_call(PIECE, DATA): see measure.c. Each piece ends with a jump back. */
	.globl	forms_call, forms_return
forms_call:
	pushal
	movl	%esp, stack
	movl	36(%esp), %eax
	movl	40(%esp), %esi
	leal	1024(%esi), %edi
	jmp	*%eax
forms_return:
	movl	stack, %esp
	cld
	popal
	ret

	.local	stack
	.comm	stack, 4, 4

	.section .note.GNU-stack, ""
