(package_clause (package_identifier) @name @namespace) @definition.package
(import_spec name: (_)? @import.local path: (_) @import.module)

; Definitions
(function_declaration name: (identifier) @name result: (_)? @type) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (field_identifier) @name result: (_)? @type) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(const_spec name: (identifier) @name type: (_)? @type) @definition.constant
(var_spec name: (identifier) @name type: (_) @type) @definition.variable
(var_spec name: (identifier) @name value: (expression_list . [(composite_literal type: (_) @type) (unary_expression operand: (composite_literal type: (_) @type))])) @definition.variable
(var_spec name: (identifier) @name) @definition.variable
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field
(method_elem name: (field_identifier) @name result: (_)? @type) @definition.method

; Uses
(field_declaration !name type: (type_identifier) @reference.embeds)
(field_declaration !name type: (qualified_type package: (package_identifier) @receiver name: (type_identifier) @reference.embeds))
(field_declaration !name type: (generic_type type: (type_identifier) @reference.embeds))
(interface_type (type_elem . (type_identifier) @reference.embeds .))
(interface_type (type_elem . (qualified_type package: (package_identifier) @receiver name: (type_identifier) @reference.embeds) .))
(composite_literal type: (type_identifier) @reference.new)
(composite_literal type: (qualified_type package: (package_identifier) @receiver name: (type_identifier) @reference.new))
(composite_literal type: (generic_type type: (type_identifier) @reference.new))
(call_expression function: (identifier) @_new arguments: (argument_list . (type_identifier) @reference.new) (#eq? @_new "new"))
(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @reference.member-call))
(qualified_type package: (package_identifier) @receiver name: (type_identifier) @reference.type)
(type_identifier) @reference.type
(selector_expression operand: (identifier) @receiver field: (field_identifier) @reference.member)
(identifier) @reference.use

; What binds names
[(function_declaration) (method_declaration) (func_literal) (block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (expression_case) (default_case) (type_case) (communication_case) (type_spec) (type_alias)] @scope
(parameter_declaration name: (identifier) @local type: (_) @type)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list . (identifier) @local .) right: (expression_list . [(composite_literal type: (_) @type) (unary_expression operand: (composite_literal type: (_) @type))]))
(short_var_declaration left: (expression_list . (identifier) @local .) right: (expression_list . (call_expression function: (identifier) @_new arguments: (argument_list . (_) @type)) .) (#eq? @_new "new"))
(short_var_declaration left: (expression_list . (identifier) @local .) right: (expression_list . (type_assertion_expression type: (_) @type) .))
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local type: (_)? @type)
(var_spec name: (identifier) @local value: (expression_list . [(composite_literal type: (_) @type) (unary_expression operand: (composite_literal type: (_) @type))]))
(const_spec name: (identifier) @local)
