; What C and C++ have in common.

; Definitions. Where a type has its body in a declaration, the declarator is the definition: the type is no part of the variable.
(struct_specifier name: (_) @name body: (_)) @definition.struct
(union_specifier name: (_) @name body: (_)) @definition.struct
(enum_specifier name: (_) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.enum-member
(type_definition type: (struct_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.enum
(type_definition type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))] @type declarator: (_) @definition.type)
(type_definition type: (_) @type declarator: (_) @name) @definition.type
(field_declaration type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))] declarator: (_) @definition.field)
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(declaration type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))] declarator: (_) @definition.variable)

; Imports
(preproc_include) @import

; What binds names
[(function_definition) (compound_statement) (for_statement)] @scope
(parameter_declaration type: (_) @type declarator: (_) @local)
(declaration type: (_) @type declarator: [(identifier) (pointer_declarator) (array_declarator) (init_declarator) (function_declarator declarator: (parenthesized_declarator))] @local)
